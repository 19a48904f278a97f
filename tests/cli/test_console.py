"""What goes to standard error."""

import logging
import warnings

from graphrank.cli.console import only_warnings, plain_messages, set_verbosity
from graphrank.training.collapse import CollapseWarning

LOG = logging.getLogger("graphrank")


def test_the_log_is_plain_lines_and_warnings_are_marked(capsys):
    with plain_messages():
        LOG.info("read [bold]3[/bold] nodes")
        LOG.warning("odd")
        LOG.debug("hidden")
    LOG.info("after")
    assert capsys.readouterr().err == "read [bold]3[/bold] nodes\nwarning: odd\n"


def test_quiet_and_verbose(capsys):
    with plain_messages():
        set_verbosity(quiet=True, verbose=False)
        LOG.info("not this")
        set_verbosity(quiet=False, verbose=True)
        LOG.debug("but this")
        with only_warnings():
            LOG.debug("and this")
        set_verbosity(quiet=False, verbose=False)
        with only_warnings():
            LOG.info("nor this")
            LOG.warning("yet this")
        LOG.info("and that")
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["but this", "and this", "warning: yet this", "and that"]


def test_warnings_of_this_package_are_one_line_and_those_of_libraries_are_not_shown(capsys):
    with plain_messages():
        warnings.warn("all nodes in one place", CollapseWarning, stacklevel=1)
        warnings.warn("a library's worry", UserWarning, stacklevel=1)
        set_verbosity(quiet=False, verbose=True)
        warnings.warn("another worry", UserWarning, stacklevel=1)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["warning: all nodes in one place", "warning: another worry"]
