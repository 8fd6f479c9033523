-- When the person last proved in this session who he is. A browser that another one let in by its QR code never did.
alter table session add column proved_at timestamptz;
alter table session alter column proved_at set default now();
