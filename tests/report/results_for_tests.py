"""Results out of thin air."""

from graphrank.results.record import Result


def make_result(method, values, metric="nmi", **changes):
    fields = {
        "task": "clustering",
        "dataset": "karate",
        "method": method,
        "protocol": "kmeans",
        "config": {"method": {"epochs": 2}, "task": {}},
        "seeds": list(range(len(values))),
        "values": {metric: list(values)},
        "seconds": {"fit": [0.5] * len(values)},
        "peak_mib": [100.0] * len(values),
        "environment": {"torch": "2"},
    }
    return Result(**{**fields, **changes})
