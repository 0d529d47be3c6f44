"""What the players of the demo are called: plain first names, short enough for a seat."""

NAMES = (
    *("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "June", "Kai", "Lena"),
    *("Milo", "Nora", "Otis", "Pia", "Quin", "Rosa", "Sam", "Tess", "Ugo", "Vera", "Walt", "Yuri"),
    *("Zoe", "Abe", "Bea", "Carl", "Dora", "Emil", "Faye", "Glen", "Hugo", "Ines", "Jack", "Kate"),
    *("Leo", "Maya", "Ned", "Olga", "Paul", "Ruth", "Saul", "Tina", "Uma", "Vito", "Wade", "Yann"),
    *("Zara", "Alma", "Boris", "Cora", "Dirk", "Elsa", "Fritz", "Gina", "Hans", "Iris", "Jonas"),
    *("Kira", "Lars", "Mona", "Nils", "Oona", "Piet", "Ravi", "Sofia", "Tom", "Una", "Viggo"),
)


def name_for(number: int) -> str:
    """A name for the player of that number, from 0; past the list a digit tells them apart."""
    again, index = divmod(number, len(NAMES))
    return NAMES[index] if not again else f"{NAMES[index]} {again + 1}"
