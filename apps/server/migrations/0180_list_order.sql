-- Lists of installations by the column that the reader chose.

create index school_device_last_test on school_device (last_test_at) where valid_to is null;
create index school_device_installed on school_device (installed_at) where valid_to is null;
