#!/bin/sh
# Sets the address of the project, which stands in one place: `repository` in Cargo.toml. Everything else takes it from
# there. To be done once, at publication:
#
#   release/set-address.sh https://host/owner/cleave
set -e
cd "$(dirname "$0")/.."
address=${1%/}
case $address in
  https://*.invalid/*) echo "release/set-address.sh: $address is a placeholder" >&2; exit 2 ;;
  *[!a-zA-Z0-9:/._~-]*) echo "release/set-address.sh: $address has characters that no address of a repository has" >&2; exit 2 ;;
  https://?*/?*) ;;
  *) echo "usage: release/set-address.sh https://HOST/OWNER/NAME" >&2; exit 2 ;;
esac
# The `#` is no character of an address.
sed "s#^repository = \".*\"\$#repository = \"$address\"#" Cargo.toml >Cargo.toml.new
if cmp -s Cargo.toml Cargo.toml.new && ! grep -q "^repository = \"$address\"\$" Cargo.toml; then
  rm Cargo.toml.new
  echo "release/set-address.sh: Cargo.toml has no line \`repository = \"…\"\`" >&2
  exit 1
fi
mv Cargo.toml.new Cargo.toml
