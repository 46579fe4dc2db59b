# A generator inspects what a property calls for, so its callers' scouts need that result in it.
# overlap: 3
# file: main.py
import work


class Sample:
    def __init__(self, number):
        self.number = number

    @property
    def kind(self):
        return work.nap(self.number)


def kinds(samples):
    for sample in samples:
        match sample.kind:
            case 0 | 1 as small:
                yield f"small {small}"
            case kind if kind % 2:
                yield f"odd {kind}"
            case kind:
                yield f"even {kind}"


def show():
    for number, line in enumerate(kinds([Sample(i) for i in range(40)])):
        print(line)
        if number > 30 and "odd" in line:
            break


show()
