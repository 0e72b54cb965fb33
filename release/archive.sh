#!/usr/bin/env bash
# Makes the archives of a release in target/release-archives, each with its checksum:
#
#   release/archive.sh             x86-64 Linux: all features; it is unpacked and started in an empty root at the end
#   release/archive.sh --windows   x86-64 Windows: the compiler to WebAssembly; needs mingw-w64 and zip
#
# The same commit gives the same archive: names are sorted, times are those of the commit.
set -euo pipefail
cd "$(dirname "$0")/.."
target_folder=${CARGO_TARGET_DIR:-$PWD/target}
out=$target_folder/release-archives
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
time=$(git log -1 --format=%ct)
case ${1-} in
  "") target=x86_64-unknown-linux-gnu features=() program=cleave strip=strip ;;
  --windows) target=x86_64-pc-windows-gnu features=(--no-default-features --features wasm) program=cleave.exe
    strip=x86_64-w64-mingw32-strip ;;
  *) echo "usage: release/archive.sh [--windows]" >&2; exit 2 ;;
esac
rustup target add "$target" >/dev/null 2>&1 || true
if [ "$target" = x86_64-pc-windows-gnu ]; then
  cargo build --profile dist --locked "${features[@]}" --target "$target"
  built=$target_folder/$target/dist/$program
  # Pages of the manual and completions are the same on every system; a program of this one writes them.
  cargo build --release --locked "${features[@]}"
  host=$target_folder/release/cleave
else
  # Equal functions become one, half a megabyte; by the linker that comes with Rust.
  cargo rustc --profile dist --locked --bin cleave -- -C link-arg=-Wl,--icf=all
  built=$target_folder/dist/$program
  host=$built
fi

name=cleave-$version-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
mkdir -p "$folder/completions" "$folder/man/man1" "$out"
# Names of functions are for profiles and backtraces of ours. Programs for Windows hold the time that this variable says.
SOURCE_DATE_EPOCH=$time "$strip" -o "$folder/$program" "$built"
cp LICENSE-MIT LICENSE-APACHE README.md CHANGELOG.md "$folder/"
"$host" man "$folder/man/man1"
"$host" completions bash >"$folder/completions/cleave.bash"
"$host" completions zsh >"$folder/completions/_cleave"
"$host" completions fish >"$folder/completions/cleave.fish"
"$host" completions powershell >"$folder/completions/cleave.ps1"

find "$work" -exec touch -h -d "@$time" {} +
if [ "$target" = x86_64-pc-windows-gnu ]; then
  archive=$name.zip
  rm -f "$out/$archive"
  (cd "$work" && find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$out/$archive" -@)
else
  archive=$name.tar.gz
  tar -C "$work" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w -cf - "$name" |
    gzip -9n >"$out/$archive"
fi
(cd "$out" && sha256sum "$archive" >"$archive.sha256" && cat ./*.sha256 >SHA256SUMS)
echo "$out/$archive: $(stat -c %s "$out/$archive") bytes, the program $(stat -c %s "$folder/$program")"

# In an empty root, with the C library alone, it compiles and runs programs: in the engine, at once, and as an executable.
[ "$target" = x86_64-unknown-linux-gnu ] || exit 0
(cd "$out" && sha256sum --quiet -c "$archive.sha256")
root=$work/root
mkdir -p "$root/tmp"
tar -C "$root" -xzf "$out/$archive"
mv "$root/$name" "$root/cleave"
for library in $(ldd "$root/cleave/$program" | grep -o '/[^ ]*'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
cp tests/goopea/balanced.goo "$root/tmp/"
command=(chroot "$root")
[ "$(id -u)" = 0 ] || command=(unshare --user --map-root-user chroot "$root")
in_root() { "${command[@]}" "$@" </dev/null; }
in_root /cleave/cleave --version
wanted=$(cat tests/goopea/balanced.expected)
for way in "run /tmp/balanced.goo" "run /tmp/balanced.goo --target native"; do
  # shellcheck disable=SC2086
  [ "$(in_root /cleave/cleave $way)" = "$wanted" ] || { echo "$archive: \`cleave $way\` prints something else" >&2; exit 1; }
done
in_root /cleave/cleave build /tmp/balanced.goo --target native -o /tmp/balanced
[ "$(in_root /tmp/balanced)" = "$wanted" ] || { echo "$archive: the executable prints something else" >&2; exit 1; }
for page in cleave.1 cleave-run.1; do [ -s "$root/cleave/man/man1/$page" ]; done
for shell in cleave.bash _cleave cleave.fish cleave.ps1; do [ -s "$root/cleave/completions/$shell" ]; done
glibc=$(grep -ao 'GLIBC_[0-9.]*' "$root/cleave/$program" | LC_ALL=C sort -Vu | tail -1)
echo "$archive: works in an empty root; needs ${glibc/_/ } or newer"
