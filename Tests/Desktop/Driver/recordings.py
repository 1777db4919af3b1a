"""The recordings that scenarios open, made once for each run of the driver."""

from helpers import inputs, run


def make(name, seconds, *options):
    path = inputs / name
    if path.exists():
        return path
    swell = f"0.6*sin(2*PI*330*t)*(0.15+0.85*abs(sin(2*PI*t/{seconds}*3.5)))*(0.6+0.4*abs(sin(9*t)))"
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"aevalsrc={swell}|{swell}:s=44100:d={seconds}", *options, str(path))
    return path


song = make("song.m4a", 60, "-metadata", "title=The Tide", "-metadata", "artist=Nobody", "-metadata", "album=Shores")
book = inputs / "book.m4a"
if not book.exists():
    texts = inputs / "chapters.txt"
    chapters = [("Morning", 0, 20), ("Noon", 20, 40), ("Evening", 40, 60)]
    texts.write_text(
        ";FFMETADATA1\ntitle=A Day\n"
        + "".join(f"[CHAPTER]\nTIMEBASE=1/1\nSTART={a}\nEND={b}\ntitle={name}\n" for name, a, b in chapters)
    )
    pulses = "0.5*sin(2*PI*220*t)*gt(mod(t\\,10)\\,3)"
    source = ["-f", "lavfi", "-i", f"aevalsrc={pulses}:s=44100:d=60"]
    run("ffmpeg", "-v", "error", *source, "-i", str(texts), "-map_metadata", "1", "-map", "0:a", str(book))
# A variable bit rate, and no header that tells the length.
headless = make("headless.mp3", 60, "-codec:a", "libmp3lame", "-q:a", "9", "-write_xing", "0")
# Long enough that its waveform is not made at once.
noise = inputs / "noise.flac"
if not noise.exists():
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=900:r=44100:a=0.9", "-compression_level", "0", str(noise))
tone = inputs / "tone.wav"
if not tone.exists():
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=1000:d=60,volume=2", str(tone))
sun = ["-fill", "#f6d32d", "-draw", "circle 300,300 300,150"]
if not (inputs / "sun.png").exists():
    run("convert", "-size", "600x600", "gradient:#1a5fb4-#99c1f1", *sun, str(inputs / "sun.png"))
film = inputs / "film.mp4"
if not film.exists():
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=10", "-f", "lavfi", "-i", "sine=440:d=10"]
    run("ffmpeg", "-v", "error", *pictures, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", str(film))
album = inputs / "album"
album.mkdir(exist_ok=True)
for number, name in enumerate(["one", "two", "three"], start=1):
    make(f"album/{name}.ogg", 8, "-metadata", f"title={number} {name}")

tone = inputs / "tone-1k.flac"
if not tone.exists():
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=1000:d=120,volume=2", "-c:a", "flac", str(tone))
