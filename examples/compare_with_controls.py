"""Is training worth its seconds? GraphRank beside the controls, on one graph, over seeds."""

from graphrank import Experiment, evaluate, load

experiment = Experiment(
    task="node-classification",
    methods=("graphrank", "smoothing", "untrained", "raw-features"),
    seeds=(0, 1),
    settings={"epochs": 20, "channels": 64, "mlp": 64, "mlp_hidden": 128, "mlp_steps": 5},
)
for result in evaluate(load("digits"), experiment):
    print(f"{result.method:14} {result.mean('accuracy'):5.1f} ± {result.std('accuracy'):.1f} %")
