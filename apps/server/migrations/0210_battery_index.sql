-- A list and a figure ask for devices whose battery is low or ends soon; they are few, and the table has every device.
create index device_readiness_battery on device_readiness (device_id)
  where reasons @> '[{"code": "BATTERY"}]' or reasons @> '[{"code": "BATTERY_AHEAD"}]';
