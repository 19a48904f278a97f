import errno
import json
import pickletools

import pytest
import torch

from graphrank import GraphRank, Smoothing, load_model
from graphrank.errors import ConfigError, GraphRankError, ModelError
from graphrank.training import checkpoint
from graphrank.training.loop import Run
from tests.conftest import toy_graph

SMALL = {"channels": 8, "epochs": 3, "mlp_steps": 2}


@pytest.fixture
def model(toy):
    return GraphRank(**SMALL).fit(toy)


@pytest.fixture
def saved(model, tmp_path):
    model.save(tmp_path / "model")
    return tmp_path / "model"


def manifest_of(path):
    return json.loads((path / "model.json").read_text())


def rewrite(path, **changes):
    (path / "model.json").write_text(json.dumps({**manifest_of(path), **changes}))


def contents(path):
    return {file.name: file.read_bytes() for file in path.iterdir()}


def test_only_json_and_safetensors(toy, tmp_path):
    GraphRank(**SMALL).fit(toy, run=Run(directory=tmp_path / "run"))
    files = list((tmp_path / "run").iterdir())
    assert {file.suffix for file in files} == {".json", ".safetensors"}
    assert len(files) == 3  # the manifest, the weights, the training state
    for file in files:
        with pytest.raises(Exception, match=r".+"):  # no file can be read as a pickle
            list(pickletools.genops(file.read_bytes()))
        assert not file.read_bytes().startswith(b"PK")


def test_nothing_half_written_is_left(saved):
    assert not [file for file in saved.iterdir() if file.name.startswith(".")]
    assert {file["name"] for file in manifest_of(saved)["files"].values()} < set(contents(saved))


def test_overwriting_drops_the_old_tensors_and_no_other_file(model, toy, saved):
    (saved / "notes.safetensors").write_bytes(b"mine")
    (saved / "README.md").write_text("mine")
    old = set(contents(saved))
    GraphRank(**SMALL, seed=1).fit(toy).save(saved, overwrite=True)
    new = set(contents(saved))
    assert {"notes.safetensors", "README.md", "model.json"} <= old & new
    assert len(new) == len(old)


def test_tensors_that_the_old_manifest_does_not_name_are_kept(toy, saved):
    """A copy of weights that someone laid there, by whatever name, is not ours to delete."""
    (old,) = saved.glob("weights-*.safetensors")
    mine = ["weights-best.safetensors", f"weights-{'0' * 12}.safetensors", "training-x.safetensors"]
    for name in mine:
        (saved / name).write_bytes(b"mine")
    GraphRank(**SMALL, seed=1).fit(toy).save(saved, overwrite=True)
    named = {file["name"] for file in manifest_of(saved)["files"].values()}
    assert set(contents(saved)) == {*mine, *named, "model.json"}
    assert old.name not in named


@pytest.mark.parametrize(
    "files",
    [
        {"weights": {"name": "../precious.safetensors"}},
        {"weights": {"name": "../weights-000000000000.safetensors"}},
        {"weights": {"name": "README.md"}},
        {"weights": {"name": 3}, "training": {"name": ["x"]}},
        {"weights": "name"},
        [],
        None,
    ],
)
def test_a_manifest_names_nothing_outside_its_directory(toy, saved, files):
    beside = [saved.parent / "precious.safetensors", saved / "README.md"]
    beside.append(saved.parent / f"weights-{'0' * 12}.safetensors")
    for file in beside:
        file.write_text("mine")
    rewrite(saved, files=files)
    model = GraphRank(**SMALL, seed=1).fit(toy)
    model.save(saved, overwrite=True)
    assert all(file.read_text() == "mine" for file in beside)
    assert torch.equal(load_model(saved).transform(toy), model.embedding_)


def test_checkpoints_leave_no_older_ones(toy, tmp_path):
    """Each replaces the one before it."""
    GraphRank(**SMALL).fit(toy, run=Run(directory=tmp_path / "run", checkpoint_every=0.0))
    assert len(contents(tmp_path / "run")) == 3


@pytest.mark.parametrize("place", ["write_bytes", "write_text"])
def test_a_crash_while_writing_keeps_the_old_model(model, saved, toy, monkeypatch, place):
    """Whether it comes before the tensors or between them and the manifest."""
    other = GraphRank(**SMALL, seed=1).fit(toy)
    before = manifest_of(saved)

    def crash(*_):
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, place, crash)
        with pytest.raises(RuntimeError, match="power cut"):
            other.save(saved, overwrite=True)
    assert manifest_of(saved) == before
    assert torch.equal(load_model(saved).transform(toy), model.embedding_)
    other.save(saved, overwrite=True)  # and the next writing cleans up
    assert torch.equal(load_model(saved).transform(toy), other.embedding_)
    assert len(contents(saved)) == 2


@pytest.mark.parametrize("after", [0, 1])
def test_a_full_disk_is_one_sentence_and_changes_nothing(model, saved, toy, monkeypatch, after):
    """The first file is the weights, the second the manifest."""
    other = GraphRank(**SMALL, seed=1).fit(toy)
    calls = []

    def full(handle):
        calls.append(handle)
        if len(calls) > after:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("graphrank.files.os.fsync", full)
        with pytest.raises(GraphRankError, match="the disk is full; free some space") as caught:
            other.save(saved, overwrite=True)
    assert "\n" not in str(caught.value)
    assert torch.equal(load_model(saved).transform(toy), model.embedding_)
    assert not [name for name in contents(saved) if name.startswith(".")]


def test_truncated_tensors(saved):
    (file,) = saved.glob("*.safetensors")
    file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(ModelError, match=r"damaged \(weights-.* is not what was written\)"):
        load_model(saved)


def test_altered_tensors(saved):
    (file,) = saved.glob("*.safetensors")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    with pytest.raises(ModelError, match="is not what was written"):
        load_model(saved)


def test_missing_tensors(saved):
    (file,) = saved.glob("*.safetensors")
    file.unlink()
    with pytest.raises(ModelError, match="is missing"):
        load_model(saved)


def test_tensors_that_are_no_safetensors(saved):
    import hashlib

    content = b"not tensors"
    (saved / "weights-x.safetensors").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    rewrite(saved, files={"weights": {"name": "weights-x.safetensors", "sha256": digest}})
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(saved)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b"\xff\xfe\x00", b'{"format": 1}', b"null"]
)
def test_a_bad_manifest(saved, content):
    (saved / "model.json").write_bytes(content)
    with pytest.raises(ModelError, match="is damaged"):
        load_model(saved)


@pytest.mark.parametrize(
    "key", ["method", "params", "num_features", "history", "files", "fingerprint"]
)
def test_a_manifest_that_lacks_something(saved, key):
    manifest = manifest_of(saved)
    del manifest[key]
    (saved / "model.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match=f"lacks '{key}'"):
        load_model(saved)


def test_another_format(saved):
    rewrite(saved, format=99)
    with pytest.raises(ModelError, match=r"has format 99 and this graphrank .* reads format"):
        load_model(saved)


def test_no_model_there(tmp_path):
    with pytest.raises(ModelError, match="is no model directory"):
        load_model(tmp_path)
    with pytest.raises(ModelError, match="is no model directory"):
        load_model(tmp_path / "nothing")


def test_weights_that_do_not_fit_the_options(saved):
    rewrite(saved, params={**manifest_of(saved)["params"], "channels": 9})
    with pytest.raises(ModelError, match="do not fit the stored options"):
        load_model(saved)


def test_an_unknown_method(saved):
    rewrite(saved, method="graprank")
    with pytest.raises(ConfigError, match="did you mean 'graphrank'"):
        load_model(saved)


def test_saving_where_a_file_is(model, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(GraphRankError, match="exists already"):
        model.save(tmp_path / "file")
    with pytest.raises(GraphRankError, match="choose another path"):
        model.save(tmp_path / "file", overwrite=True)
    assert (tmp_path / "file").read_text() == "x"


def test_saving_into_an_empty_folder(model, tmp_path, toy):
    model.save(tmp_path)
    assert torch.equal(load_model(tmp_path).transform(toy), model.embedding_)


@pytest.fixture
def checkpointed(toy, tmp_path):
    GraphRank(**SMALL).fit(toy, run=Run(directory=tmp_path / "run"))
    return Run(directory=tmp_path / "run", resume=True)


@pytest.mark.parametrize("option", [{"channels": 4}, {"seed": 1}, {"margin": 0.77}])
def test_resuming_with_other_options_is_refused(checkpointed, toy, option):
    (name,) = option
    with pytest.raises(ConfigError, match=f"has {name}=.*; resume it with the same options"):
        GraphRank(**{**SMALL, **option}).fit(toy, run=checkpointed)


def test_resuming_on_another_graph_is_refused(checkpointed):
    with pytest.raises(ConfigError, match="was on another graph"):
        GraphRank(**SMALL).fit(toy_graph(seed=1), run=checkpointed)


def test_resuming_another_method_is_refused(toy, tmp_path):
    Smoothing(rank=4).fit(toy).save(tmp_path / "model")
    with pytest.raises(ConfigError, match="a run of 'smoothing'; resume it with that method"):
        GraphRank(**SMALL).fit(toy, run=Run(directory=tmp_path / "model", resume=True))


def test_resuming_a_model_without_a_checkpoint_is_refused(saved, toy):
    with pytest.raises(ModelError, match="no checkpoint to go on from"):
        GraphRank(**SMALL).fit(toy, run=Run(directory=saved, resume=True))


def test_resuming_nothing_is_refused(toy, tmp_path):
    with pytest.raises(ModelError, match="is no model directory"):
        GraphRank(**SMALL).fit(toy, run=Run(directory=tmp_path, resume=True))


def test_more_epochs_go_on_to_the_bit(checkpointed, toy):
    longer = GraphRank(**{**SMALL, "epochs": 6})
    resumed, whole = longer.fit(toy, run=checkpointed).embedding_, None
    whole = GraphRank(**{**SMALL, "epochs": 6}).fit(toy).embedding_
    assert torch.equal(resumed, whole)
    assert load_model(checkpointed.directory).history_.epochs == 6


def test_resuming_a_finished_run_runs_nothing(checkpointed, toy):
    calls = []
    run = Run(directory=checkpointed.directory, resume=True, on_epoch=lambda *a: calls.append(a))
    again = GraphRank(**SMALL).fit(toy, run=run)
    assert calls == []
    assert torch.equal(again.embedding_, GraphRank(**SMALL).fit(toy).embedding_)


@pytest.mark.parametrize("settings", [{"encoder": "gat"}, {"encoder": "gcn", "norm": "batch"}])
def test_resume_of_other_encoders(toy, tmp_path, settings):
    """Running statistics of a batch norm and dropout masks go on as well."""
    settings = {**SMALL, **settings, "dropout": 0.3, "epochs": 4}
    whole = GraphRank(**settings).fit(toy).embedding_
    run = Run(directory=tmp_path / "run", resume=True)
    GraphRank(**{**settings, "epochs": 2}).fit(toy, run=Run(directory=tmp_path / "run"))
    assert torch.equal(GraphRank(**settings).fit(toy, run=run).embedding_, whole)
