import CoreMedia

let time = CMTime(value: 3, timescale: 2) + CMTime(seconds: 0.5, preferredTimescale: 600)
print(time.seconds == 2 ? "ok" : "\(time)")
