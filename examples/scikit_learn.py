"""GraphRank in scikit-learn's habits: parameters, clone, and a classifier on top."""

from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from graphrank import GraphRank, load

data = load("digits")
model = GraphRank(channels=64, mlp=64, mlp_hidden=128, mlp_steps=5, epochs=20)
twin = clone(model).set_params(seed=1)
print(model, twin)

z = twin.fit_transform(data)
known, rest = slice(0, 400), slice(400, None)
classifier = LogisticRegression(max_iter=1000).fit(z[known], data.y[known])
print(f"accuracy on nodes without a label: {classifier.score(z[rest], data.y[rest]):.3f}")
