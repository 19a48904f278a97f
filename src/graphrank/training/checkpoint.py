"""Model directories: safetensors and JSON, written so that a crash never spoils what was there.

``model.json`` names the tensor files and their checksums and is replaced last, in one atomic
step: until then the old files are in force. No pickle is written or read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as tensors_from_bytes
from safetensors.torch import save as tensors_to_bytes
from torch import Tensor, nn

from graphrank.errors import ConfigError, ModelError
from graphrank.files import refuse_existing, write_bytes, write_text
from graphrank.nn.scaling import ColumnScaling
from graphrank.training.history import History
from graphrank.training.randomness import random_state, set_random_state
from graphrank.version import __version__

if TYPE_CHECKING:
    from graphrank.methods.base import Method
    from graphrank.methods.trained import TrainedMethod

FORMAT = 1
_MANIFEST = "model.json"
_TENSOR_FILE = re.compile(r"(weights|training)-[0-9a-f]{12}\.safetensors")
_SCALING = "scaling."
# Options that may differ between a checkpoint and the run that goes on from it.
_FREE_ON_RESUME = {"epochs", "device", "stop", "patience"}


@dataclass(frozen=True)
class StoredModel:
    """A model directory that has been read and checked."""

    method: str
    params: dict[str, Any]
    num_features: int
    feature_names: list[str] | None
    feature_source: str
    fingerprint: str
    history: History
    scaling: ColumnScaling | None
    weights: dict[str, Tensor]

    def restore(self, module: nn.Module) -> None:
        """Put the stored weights into a module of the same shapes."""
        try:
            module.load_state_dict(self.weights)
        except RuntimeError as error:
            raise ModelError(
                "the stored weights do not fit the stored options: the model directory is "
                "damaged; fit the model again"
            ) from error


def write_model(
    path: Path, method: Method[Any], *, overwrite: bool = False, keep_training: bool = False
) -> None:
    """Write a fitted method; ``keep_training`` keeps the directory's resumable state."""
    refuse_existing(path, overwrite=overwrite)
    old = _read_manifest(path) if keep_training and (path / _MANIFEST).exists() else {}
    files = {k: v for k, v in old.get("files", {}).items() if k == "training"}
    files["weights"] = _write_weights(path, method, method.module_.state_dict())
    _commit(path, method, method.history_, files)


def write_training(
    path: Path,
    method: TrainedMethod[Any],
    module: nn.Module,
    optimizer: torch.optim.Optimizer,
    history: History,
    device: torch.device,
    best: dict[str, Tensor],
) -> None:
    """Write a checkpoint: weights, optimiser and random state, enough to go on bit by bit.

    Where there are ``best`` weights, they are the model's, and those to go on from lie apart.
    """
    state = {f"optimizer.{i}.{k}": v for i, s in _optimizer_state(optimizer) for k, v in s.items()}
    state |= {f"random.{name}": value for name, value in random_state(device).items()}
    if best:
        state |= {f"last.{name}": value for name, value in module.state_dict().items()}
    files = {
        "weights": _write_weights(path, method, best or module.state_dict()),
        "training": _write_tensors(path, "training", state),
    }
    _commit(path, method, history, files)


def read_model(path: Path) -> StoredModel:
    """Read and check a model directory."""
    manifest = _read_manifest(path)
    try:
        weights = _read_tensors(path, manifest["files"]["weights"])
        scaling = {
            name.removeprefix(_SCALING): weights.pop(name)
            for name in [*weights]
            if name.startswith(_SCALING)
        }
        return StoredModel(
            method=manifest["method"],
            params=manifest["params"],
            num_features=manifest["num_features"],
            feature_names=manifest["feature_names"],
            feature_source=manifest["feature_source"],
            fingerprint=manifest["fingerprint"],
            history=History.from_dict(manifest["history"]),
            scaling=ColumnScaling.from_tensors(scaling) if scaling else None,
            weights=weights,
        )
    except (KeyError, TypeError) as error:
        raise _damaged(path, f"{_MANIFEST} lacks {error}") from error


def read_training(
    path: Path,
    method: TrainedMethod[Any],
    module: nn.Module,
    optimizer: torch.optim.Optimizer,
    device: torch.device,
) -> tuple[History, dict[str, Tensor]]:
    """Put a run back to where its last checkpoint left it; return its history and best weights."""
    stored = read_model(path)
    _check_same_run(path, stored, method)
    files = _read_manifest(path)["files"]
    if "training" not in files:
        raise ModelError(f"{path} holds a model but no checkpoint to go on from; fit it anew")
    state = _read_tensors(path, files["training"])
    stored.restore(module)
    last = {k.split(".", 1)[1]: v for k, v in state.items() if k.startswith("last.")}
    if last:
        module.load_state_dict(last)
    parts: dict[int, dict[str, Tensor]] = {}
    for name, value in state.items():
        kind, *rest = name.split(".", 2)
        if kind == "optimizer":
            parts.setdefault(int(rest[0]), {})[rest[1]] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": parts})
    generators = {k.split(".", 1)[1]: v for k, v in state.items() if k.startswith("random.")}
    set_random_state(generators, device)
    return stored.history, stored.weights if last and method.keeps_best else {}


def _optimizer_state(optimizer: torch.optim.Optimizer) -> list[tuple[int, dict[str, Tensor]]]:
    state: dict[int, dict[str, Tensor]] = optimizer.state_dict()["state"]
    return list(state.items())


def _check_same_run(path: Path, stored: StoredModel, method: TrainedMethod[Any]) -> None:
    """Refuse to go on with other options or another graph than the checkpoint's."""
    if stored.method != method.info.name:
        raise ConfigError(f"{path} holds a run of {stored.method!r}; resume it with that method")
    for name, value in method.get_params().items():
        if name not in _FREE_ON_RESUME and stored.params.get(name) != value:
            raise ConfigError(
                f"the run in {path} has {name}={stored.params.get(name)!r}, not {value!r}; "
                "resume it with the same options or choose another output"
            )
    if stored.fingerprint != method.fingerprint_:
        raise ConfigError(f"the run in {path} was on another graph; choose another output")


def _commit(
    path: Path, method: Method[Any], history: History, files: dict[str, dict[str, str]]
) -> None:
    """Make the new tensor files the directory's content, then drop those of the old content.

    Only what the old manifest names goes: any other file may be the user's, whatever its name.
    """
    old = _named_files(path)
    manifest = {
        "format": FORMAT,
        "graphrank": __version__,
        "method": method.info.name,
        "params": method.get_params(),
        "num_features": method.num_features_,
        "feature_names": method.feature_names_,
        "feature_source": method.feature_source_,
        "fingerprint": method.fingerprint_,
        "history": history.to_dict(),
        "files": files,
    }
    write_text(path / _MANIFEST, json.dumps(manifest, indent=1))
    for name in old - {file["name"] for file in files.values()}:
        with suppress(OSError):
            (path / name).unlink()


def _named_files(path: Path) -> set[str]:
    """The tensor files that the directory's manifest names; none if it cannot be read.

    Names are taken only in the form that is written here: no other file is meant by them.
    """
    try:
        files = _read_manifest(path)["files"]
        names = {file["name"] for file in files.values()}
    except (ModelError, KeyError, TypeError, AttributeError):
        return set()
    return {name for name in names if isinstance(name, str) and _TENSOR_FILE.fullmatch(name)}


def _write_weights(
    path: Path, method: Method[Any], weights: Mapping[str, Tensor]
) -> dict[str, str]:
    """The module's tensors and, beside them, how features are scaled before they reach it."""
    tensors = dict(weights)
    if method.scaling_ is not None:
        scaling = method.scaling_.to_tensors()
        tensors |= {f"{_SCALING}{name}": value for name, value in scaling.items()}
    return _write_tensors(path, "weights", tensors)


def _write_tensors(path: Path, kind: str, tensors: dict[str, Tensor]) -> dict[str, str]:
    """Write tensors under a name that their content decides; return name and checksum."""
    content = tensors_to_bytes({k: v.detach().cpu().contiguous() for k, v in tensors.items()})
    digest = hashlib.sha256(content).hexdigest()
    name = f"{kind}-{digest[:12]}.safetensors"
    write_bytes(path / name, content)
    return {"name": name, "sha256": digest}


def _read_tensors(path: Path, file: dict[str, str]) -> dict[str, Tensor]:
    try:
        content = (path / file["name"]).read_bytes()
    except FileNotFoundError as error:
        raise _damaged(path, f"{file['name']} is missing") from error
    if hashlib.sha256(content).hexdigest() != file["sha256"]:
        raise _damaged(path, f"{file['name']} is not what was written")
    try:
        tensors: dict[str, Tensor] = tensors_from_bytes(content)
    except SafetensorError as error:
        raise _damaged(path, f"{file['name']} cannot be read") from error
    return tensors


def _read_manifest(path: Path) -> dict[str, Any]:
    """Read ``model.json`` and check that it is ours and of this version."""
    file = path / _MANIFEST
    if not file.is_file():
        raise ModelError(f"{path} is no model directory: it has no {_MANIFEST}; fit a model first")
    try:
        manifest = json.loads(file.read_text())
        version = manifest["format"]
    except (UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as error:
        raise _damaged(path, f"{_MANIFEST} cannot be read") from error
    if version != FORMAT:
        raise ModelError(
            f"{path} has format {version} and this graphrank {__version__} reads format {FORMAT}; "
            "fit the model again or install the version that wrote it"
        )
    return dict(manifest)


def _damaged(path: Path, what: str) -> ModelError:
    return ModelError(f"the model directory {path} is damaged ({what}); fit the model again")
