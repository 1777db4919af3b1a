import CoreVideo

var buffer: CVPixelBuffer?
let status = CVPixelBufferCreate(nil, 16, 9, kCVPixelFormatType_32BGRA, nil, &buffer)
print(status == kCVReturnSuccess && buffer.map(CVPixelBufferGetWidth) == 16 ? "ok" : "\(status)")
