# entry: f
# args: 2.5
# exit: 2
# message: unknown name `t`
# line: 17


from dataclasses import dataclass


@dataclass(frozen=True)
class Body:
    mass: float

    @staticmethod
    def fall(i):
        return t * i


def f(x: float):
    return Body.fall(x)
