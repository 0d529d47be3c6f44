"""Measurements of livebutton, each side by side with something known, in one run."""
