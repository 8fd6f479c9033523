-- Filters of the lists of devices and installations.
create index device_batch on device (batch_no) where batch_no is not null;
create index device_warranty on device (warranty_until) where warranty_until is not null;
create index school_device_test_due on school_device (next_test_due) where valid_to is null;
