#!/bin/sh
# Make one release from a ledger that is kept in a git repository:
# reserve, push, release, commit, push, always on the tip of the branch.
#
#   ledger-release.sh BRANCH LEDGER SCENARIO COMMAND [ARG…]
#
# Run it in a checkout of its own: it resets the checkout to the tip. Nothing is released
# before the branch has the reservation. If another push comes first, the reservation was
# never published, and is made again on the new tip. Status 1: refused, nothing was released.
set -u
branch=$1 ledger=$2 scenario=$3
shift 3
tries=50
: "${GIT_AUTHOR_NAME:=privacy ledger}" "${GIT_AUTHOR_EMAIL:=ledger@localhost}"
GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL

fail() { echo "ledger-release: $*" >&2; exit 3; }
tip() { git fetch -q origin "$branch" && git reset -q --hard FETCH_HEAD; }
publish() { git add -- "$ledger" && git commit -q -m "$1" && git push -q origin "HEAD:refs/heads/$branch"; }
state() { epsiloscope ledger log "$ledger" 2>/dev/null | awk -v id="$1" '$3 == "reserve" && $4 == id { print $6 }'; }

id=
n=0
while :; do
	tip || fail "the branch $branch cannot be fetched; nothing was released"
	# A push may have arrived though its answer was lost.
	if [ -n "$id" ] && [ "$(state "$id")" = held ]; then break; fi
	id=$(epsiloscope ledger spend "$ledger" "$scenario" --by ci --why "$(git rev-parse --short HEAD)") || exit $?
	publish "Reserve $id" && break
	n=$((n + 1))
	[ $n -lt $tries ] || fail "the reservation could not be pushed; nothing was released"
done

EPSILOSCOPE_SPEND=$id "$@"
status=$?
[ $status = 0 ] || { echo "ledger-release: the command ended with $status; $id stays held and counts as spent" >&2; exit 3; }

n=0
while :; do
	tip || fail "the release was made; $id stays held and counts as spent"
	case $(state "$id") in
	committed) exit 0 ;;
	held | cancelled) ;;
	*) fail "the release was made, and $id is not on the branch: its history was rewritten" ;;
	esac
	epsiloscope ledger commit "$ledger" "$id" || exit $?
	publish "Commit $id" && exit 0
	n=$((n + 1))
	[ $n -lt $tries ] || fail "the release was made; $id stays held and counts as spent"
done
