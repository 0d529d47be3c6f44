"""A second model of the rules: slow, literal, importing nothing of the product. See README.md."""

from tests.model.play import Model
from tests.model.table import Refusal

__all__ = ["Model", "Refusal"]
