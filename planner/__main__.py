"""`planner` and `python -m planner`."""

import signal


def main() -> None:
    """The console script. Until a search listens to it, Ctrl-C ends the program at once, even while it is still
    importing, and without a traceback.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from planner.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
