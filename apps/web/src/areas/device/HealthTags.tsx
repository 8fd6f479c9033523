import type { DeviceRow } from '@tocsin/contract/device/device'
import { Tag } from 'antd'
import { EnumLabel } from '#ui/EnumTag.tsx'

/** The problems of a device: the codes of its open health records. */
export const HealthTags = ({ flags }: { flags: DeviceRow['healthFlags'] }) =>
  flags.map((code) => (
    <Tag key={code} color="orange">
      <EnumLabel kind="alarmCode" value={code} />
    </Tag>
  ))
