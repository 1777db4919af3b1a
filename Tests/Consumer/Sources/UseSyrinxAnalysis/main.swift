import SyrinxAnalysis

let analyzer = RecordingAnalyzer()
print(type(of: analyzer) == RecordingAnalyzer.self ? "ok" : "wrong")
