"""``python -m graphrank``: the command, where its script is not on the path."""

from graphrank.cli.main import run

if __name__ == "__main__":
    run()
