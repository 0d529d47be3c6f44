"""A few words for writing the model's own tests."""

from typing import Any

from tests.model.play import Model
from tests.model.scenario import must, summary


class Felt:
    """A model at a table, spoken to in short."""

    def __init__(self, rules: str, seats: int, at: list[int], button: int, **more: Any) -> None:
        self.model = Model()
        stakes = more.pop("stakes", {"small": 5, "big": 10})
        opening = {"type": "open_table", "name": "felt", "seats": seats, "rules": rules}
        must(self.model, opening | {"stakes": stakes} | more, "open")
        for no in at:
            self.do("take_seat", seat=no, player=f"p{no}")
        self.do("start_game", button=button)

    def do(self, kind: str, **fields: Any) -> None:
        must(self.model, {"type": kind, **fields}, kind)

    def refused(self, kind: str, **fields: Any) -> str:
        answer = self.model.command({"type": kind, **fields})
        return str(answer.get("refused", "accepted"))

    def plan(self) -> dict[str, Any]:
        return self.model.plan()

    def see(self) -> dict[str, Any]:
        """The plan in a CHECK's words."""
        plan = self.plan()
        if "none" in plan:
            return {"none": True}
        assert self.model.table is not None
        return summary(plan, self.model.table.seat_count)

    def blinds(self) -> tuple[int, list[int], list[int]]:
        """(button, small blinds, big blinds)."""
        seen = self.see()
        return seen["button"], seen["small"], seen["big"]

    def hand(self) -> dict[str, Any]:
        self.do("deal")
        seen = self.see()
        self.do("end_hand")
        return seen

    def hands(self, count: int) -> None:
        for _ in range(count):
            self.hand()

    def waits(self, no: int) -> dict[str, int | None]:
        """choice -> hands, of the question that a seat is asked."""
        for question in self.plan()["questions"]:
            if question["seat"] == no:
                return {one["choice"]: one.get("hands") for one in question["choices"]}
        return {}

    def seat(self, no: int) -> dict[str, Any]:
        return self.model.seats()[no]
