"""The doors: sockets and HTTP in, views and verdicts out."""
