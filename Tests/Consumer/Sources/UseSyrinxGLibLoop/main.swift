import SyrinxGLibLoop

GLibLoop.attach()
print("ok")
