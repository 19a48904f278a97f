import subprocess
import sys

import pytest

import graphrank


def test_every_public_name_is_there():
    for name in graphrank.__all__:
        assert getattr(graphrank, name) is not None
    assert set(graphrank.__all__) <= set(dir(graphrank))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'GraphRnak'"):
        graphrank.GraphRnak  # noqa: B018


def test_three_lines(tmp_path):
    """As the README shows it."""
    model = graphrank.GraphRank(seed=0, channels=8, epochs=2).fit("karate")
    z = model.transform("karate")
    model.save(tmp_path / "model")
    assert z.shape[0] == 34
    assert (graphrank.load_model(tmp_path / "model").transform("karate") == z).all()


def test_importing_prints_nothing_and_warns_of_nothing():
    code = "import graphrank; graphrank.GraphRank(epochs=1, channels=4).fit('karate')"
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning:graphrank", "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
    assert "beta" not in done.stderr and "Traceback" not in done.stderr
