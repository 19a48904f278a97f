import pytest

from graphrank.errors import ConfigError
from graphrank.tasks.registry import TASKS, make_task


@pytest.mark.parametrize("name", TASKS)
def test_every_task_says_what_it_is(name):
    task = make_task(name)
    assert task.name == name and task.summary and task.metrics
    for key, protocol in task.protocols.items():
        assert protocol.name == key and protocol.summary and protocol.selects_on


def test_options():
    assert make_task("node-classification", {"probe": "adam"}).probe == "adam"
    with pytest.raises(ConfigError, match="did you mean 'logistic'"):
        make_task("node-classification", {"probe": "logitic"})
    with pytest.raises(ConfigError, match="clustering has no option 'probe'"):
        make_task("clustering", {"probe": "adam"})


def test_an_unknown_task():
    with pytest.raises(ConfigError, match="did you mean 'clustering'"):
        make_task("clusterng")
