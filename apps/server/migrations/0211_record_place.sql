-- An open record takes a further press only at its own place (decision 063), so the key of a record names school and place.
-- Records of the health of a device and of a whole school keep their keys. A record may be opened again for seven days.
update warn_record
set dedup_key = regexp_replace(dedup_key, '\|([A-Z_]+)$',
  '@' || coalesce(school_id::text, '') || '/' || coalesce(place_id::text, '') || '|\1')
where (open or ended_at > now() - interval '8 days') and dedup_key ~ '^(device|zone):.*\|[A-Z_]+$';

create index warn_record_open_device on warn_record (device_id, class, mode) where open;
create index warn_record_linked on warn_record (linked_record_id) where linked_record_id is not null;
