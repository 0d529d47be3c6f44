"""Where the files of the screens lie."""

from pathlib import Path


def web_folder() -> Path:
    """The folder of the screens: inside the installed package, or `clients/web` of a checkout.

    FileNotFoundError when there is neither, which an installation of the wheel never is.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "web", package.parents[1] / "clients" / "web"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the files of the screens are not beside {package}")
