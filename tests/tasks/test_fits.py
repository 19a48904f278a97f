"""One fit for many judges."""

import torch

from graphrank import GraphRank
from graphrank.data import without_labels
from graphrank.measure import Measured
from graphrank.tasks.fits import Fits
from graphrank.tasks.runner import Experiment, evaluate

SMALL = {"channels": 8, "epochs": 2, "mlp_steps": 2}


def run(data, fits, task, **options):
    experiment = Experiment(task=task, seeds=(0,), settings=SMALL, **options)
    return evaluate(data, experiment, progress=False, fits=fits)[0]


def test_tasks_that_see_the_same_graph_share_a_fit_and_its_cost(data, fitted):
    fits = Fits()
    classified = run(data, fits, "node-classification")
    clustered = run(data, fits, "clustering")
    probed = run(data, fits, "node-classification", task_options={"probe": "adam"})
    assert fitted == [0]
    assert classified.seconds["fit"] == clustered.seconds["fit"] == probed.seconds["fit"]
    assert classified.peak_mib == clustered.peak_mib


def test_a_shared_fit_gives_the_figures_of_one_of_its_own(data):
    fits = Fits()
    run(data, fits, "node-classification")
    assert run(data, fits, "clustering").values == run(data, None, "clustering").values


def test_what_sees_another_graph_is_fitted_again(data, fitted):
    fits = Fits()
    run(data, fits, "node-classification")
    run(data, fits, "link-prediction")
    assert fitted == [0, 0]


def test_without_a_place_to_share_every_task_fits(data, fitted):
    run(data, None, "node-classification")
    run(data, None, "clustering")
    assert fitted == [0, 0]


def test_options_seed_and_graph_tell_fits_apart_and_the_oldest_goes(data):
    fits, made = Fits(most=2), []

    def get(method, data=data):
        def fit():
            made.append(method)
            return torch.zeros(1), Measured()

        return fits.get(method, without_labels(data), fit)

    first, again = GraphRank(seed=0, channels=8), GraphRank(seed=0, channels=8)
    get(first), get(again)
    assert made == [first]
    other = GraphRank(seed=1, channels=8)
    get(other), get(GraphRank(seed=0, channels=4)), get(other)
    assert len(made) == 3
    get(first)
    assert len(made) == 4
    moved = data.clone()
    moved.edge_index = moved.edge_index[:, 2:]
    get(first, moved)
    assert len(made) == 5 and len(fits.kept) == 2
