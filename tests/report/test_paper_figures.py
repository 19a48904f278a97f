"""The paper's figures of GraphRank: from its tables, under the tasks of each method."""

from graphrank.report.paper_figures import paper_figures


def by_place(method):
    return {
        (figure.task, dataset, figure.metric): figure for dataset, figure in paper_figures(method)
    }


def test_nodes_have_three_tables_and_whole_graphs_one():
    nodes, graphs = by_place("graphrank"), by_place("graphrank-graph")
    assert len(nodes) == 7 * (1 + 2 + 2) and len(graphs) == 6
    assert {task for task, _, _ in graphs} == {"graph-classification"}
    assert not {task for task, _, _ in nodes} & {"graph-classification"}


def test_figures_are_as_printed():
    nodes = by_place("graphrank")
    cora = nodes["node-classification", "Cora", "accuracy"]
    assert (cora.value, cora.std, cora.split) == (84.93, 1.07, "public")
    assert cora.source == "Hu et al. 2024, table of node classification"
    assert nodes["node-classification", "CS", "accuracy"].split == "random 10 % / 10 % / 80 %"
    clusters = nodes["clustering", "Cora", "nmi"]
    assert (clusters.value, clusters.std, clusters.split) == (64.98, None, "not described")
    links = nodes["link-prediction", "Physics", "ap"]
    assert (links.value, links.std) == (96.22, 0.05)
    mutag = by_place("graphrank-graph")["graph-classification", "MUTAG", "accuracy"]
    assert (mutag.value, mutag.std, mutag.split) == (89.36, 0.02, "10 folds")


def test_methods_of_other_papers_have_none_here():
    assert not by_place("grace")
