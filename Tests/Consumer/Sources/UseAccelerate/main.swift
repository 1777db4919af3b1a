import Accelerate

print(vDSP.add([1, 2] as [Float], [3, 4]) == [4, 6] ? "ok" : "wrong")
