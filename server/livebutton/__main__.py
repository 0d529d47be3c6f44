"""`python -m livebutton` is the command line."""

from livebutton.cli import main

if __name__ == "__main__":
    main()
