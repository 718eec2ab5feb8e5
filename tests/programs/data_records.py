# entry: energy
# args: {"t": "struct", "cls": "Body", "v": {"mass": 2.0, "place": {"t": "struct", "cls": "Vec", "v": {"x": 0.5, "y": -1.5}}, "id": 3}}, 0.1
# note: nested records as arguments; the int field has no gradient
from dataclasses import dataclass

@dataclass(frozen=True)
class Vec:
    x: float
    y: float

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vec(self.x * factor, self.y * factor)

    def __rmul__(self, factor):
        return self * factor

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    @property
    def square(self):
        return self.x * self.x + self.y * self.y

@dataclass(frozen=True)
class Body:
    mass: float
    place: Vec
    id: int

    def pushed(self, force, t):
        return Body(self.mass, self.place + (t / self.mass) * force, self.id + 1)

def energy(body, t):
    for i in range(3):
        body = body.pushed(-body.place * 2.0, t)
    return body.mass * body.place.square + body.id * body.place[1]
