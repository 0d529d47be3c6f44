"""The Python SDK of livebutton."""
