"""Models as they were saved before a method had some of its options."""

import json


def saved_before(model, folder, *options):
    """Save a model without these options, and load it as this version does."""
    model.save(folder)
    path = folder / "model.json"
    config = json.loads(path.read_text())
    for option in options:
        del config["params"][option]
    path.write_text(json.dumps(config))
    return type(model).load(folder)
