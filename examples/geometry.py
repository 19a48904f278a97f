"""What the margin does to the geometry of classes, and what false negatives cost."""

from graphrank import load
from graphrank.analysis.false_negatives import false_negative_study
from graphrank.analysis.sweep import sweep

data = load("digits")
small = {"epochs": 10, "channels": 64, "mlp": 0}
measures = ["accuracy", "intra_class_variance_normalized", "outliers"]

found = sweep(data, "graphrank", "margin", [0.0, 0.1, 1.0], measures, seeds=[0, 1], settings=small)
print("margin", *measures)
for place, value in enumerate(found.values):
    print(f"{value:6}", *(f"{found.mean(name)[place]:10.4f}" for name in measures))

study = false_negative_study(data, seeds=[0, 1], settings=small)
print(f"accuracy with random negatives: {study.random.mean('accuracy'):.1f} %")
print(f"with negatives of other classes only, a diagnostic: {study.oracle.mean('accuracy'):.1f} %")
