# Until the share of this id is ready, looked for once a second; OpenTofu gives its settings to what it starts.
until curl --silent --fail --header "Authorization: Bearer $TF_VAR_token" "$TF_VAR_base_url/v2/fd-1/ipsec-shares/$1" |
  grep -q '"status":"DEPLOYED"'; do
  sleep 1
done
