# A recipe for Nix: nix-build Packaging/nix, with a nixpkgs that has Swift 6.2 or later.
# Checked with `nix-instantiate --parse` only: it was neither evaluated against nixpkgs, nor built or installed from. The hashes of
# the two packages were computed from copies of these releases, not by fetching them.
{ pkgs ? import <nixpkgs> { } }:

let
  inherit (pkgs) lib swiftPackages;
  argumentParser = pkgs.fetchFromGitHub {
    owner = "apple";
    repo = "swift-argument-parser";
    rev = "1.8.2";
    hash = "sha256-87davPixt6+/NIuYi2HSc/L6SJqfQClToWPK89N3ToQ=";
  };
  grdb = pkgs.fetchFromGitHub {
    owner = "groue";
    repo = "GRDB.swift";
    rev = "v7.10.0";
    hash = "sha256-9GkeAHouB5FcpVPoQmwsMmLVbMj1QM2qYOpiDJphgoM=";
  };
  # Loaded when they are needed, and so not found by the linker.
  loaded = [ pkgs.curl pkgs.fluidsynth pkgs.chromaprint ];
in
swiftPackages.stdenv.mkDerivation {
  pname = "syrinx";
  version = "0.1.0";
  src = lib.cleanSource ../..;

  nativeBuildInputs = [ pkgs.git pkgs.pkg-config pkgs.patchelf swiftPackages.swift swiftPackages.swiftpm ];
  buildInputs = [
    pkgs.alsa-lib
    pkgs.ffmpeg
    pkgs.glib
    pkgs.libmysofa
    pkgs.libpulseaudio
    pkgs.sqlite
    swiftPackages.Dispatch
    swiftPackages.Foundation
  ];

  # SwiftPM takes the packages from these folders (scripts/vendor).
  configurePhase = ''
    runHook preConfigure
    export HOME=$TMPDIR/home
    mkdir -p $HOME packages/apple packages/groue
    cp -r ${argumentParser} packages/apple/swift-argument-parser
    cp -r ${grdb} packages/groue/GRDB.swift
    chmod -R u+w packages
    sh scripts/vendor packages
    runHook postConfigure
  '';

  buildPhase = ''
    runHook preBuild
    sh scripts/build --product syrinx
    runHook postBuild
  '';

  installPhase = ''
    runHook preInstall
    patchShebangs scripts
    DESTDIR= sh scripts/install install .build/release/syrinx $out
    runHook postInstall
  '';

  postFixup = ''
    patchelf --add-rpath ${lib.makeLibraryPath loaded} $out/bin/syrinx
  '';

  meta = {
    description = "Plays, converts, draws, measures and describes audio, from files and from the web";
    license = lib.licenses.asl20;
    platforms = lib.platforms.linux;
    mainProgram = "syrinx";
  };
}
