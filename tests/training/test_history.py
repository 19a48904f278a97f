import json

from graphrank.training.history import History


def test_round_trip_through_json():
    history = History([0.5, 0.25], [0.1, 0.2], "plateau")
    read = History.from_dict(json.loads(json.dumps(history.to_dict())))
    assert read == history and read.epochs == 2
    read.loss.append(1.0)
    assert history.epochs == 2  # a copy


def test_empty():
    assert History().epochs == 0 and History().stopped == ""


def test_validation_figures_and_histories_written_before_there_were_any():
    history = History([0.5], [0.1], "validation", [0.25], [0.75])
    assert History.from_dict(json.loads(json.dumps(history.to_dict()))) == history
    older = {"loss": [0.5], "seconds": [0.1], "stopped": "epochs"}
    assert History.from_dict(older) == History([0.5], [0.1], "epochs")
