# entry: f
# args: 2.0
# args: 0.3
# order: 2
# note: names that are private to a class and to its base; setters in makers, of a class and of its base, beside a class with such a field
class Base:
    __k = 3.0

    def __init__(self, v):
        self.__v = v

    def __product(self, x):
        return x * self.__v * self.__k

    def shown(self, x):
        return self.__product(x)


class Derived(Base):
    __k = 10.0

    def __init__(self, v):
        super().__init__(v)
        self.__v = v * v

    def more(self, x):
        return self.shown(x) + self.__v * x * self.__k


class Halved:
    def __init__(self, a):
        self._a = a
        self.a = a

    @property
    def a(self):
        return self._a

    @a.setter
    def a(self, value):
        self._a = value * 0.5


class Quartered(Halved):
    def __init__(self, a):
        super().__init__(a)
        self.a = self.a + 1.0


class Plain:
    def __init__(self, a):
        self.a = a


def f(x):
    return Derived(x).more(x) + Base(x).shown(1.0) + Halved(x).a * Quartered(x).a + Plain(x).a
