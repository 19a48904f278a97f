"""What tests of GraphCL and its descendants see of the views that are drawn."""


def record_augmented(monkeypatch, source):
    """Choices and views that the methods in module ``source`` draw from now on."""
    drawn, real = [], source.augment

    def recorded(batch, choice, strength):
        drawn.append((choice, real(batch, choice, strength)))
        return drawn[-1][1]

    monkeypatch.setattr(source, "augment", recorded)
    return drawn
