-- Start and uptime of the latest heartbeat over HTTP. A request that was copied from the network and sent again has no
-- later ones, so it does not keep a dead device online.
alter table device_state
  add column http_boot bigint,
  add column http_up_ms bigint;
