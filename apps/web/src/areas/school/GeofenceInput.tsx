import type { Geofence } from '@tocsin/contract/school/geofence'
import { Input } from 'antd'
import { useState } from 'react'
import { formatFence, parseFence } from './fence-text.ts'

type Props = { id?: string; value?: Geofence | null | string; onChange?: (fence: Geofence | null | string) => void }

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The fence as lines of longitude and latitude; invalid text stays text, which the form rejects. */
export const GeofenceInput = ({ id, value, onChange }: Props) => {
  const [typed, setTyped] = useState<string>()
  // What was typed is kept as it is until the value changes elsewhere, as on the map.
  const isOwn = typed !== undefined && isSame(parseFence(typed), value ?? null)
  const text = isOwn ? typed : typeof value === 'string' ? value : formatFence(value ?? null)
  return (
    <Input.TextArea
      {...(id && { id })}
      value={text}
      autoSize={{ minRows: 4, maxRows: 12 }}
      placeholder={'114.3900,30.5500\n114.3940,30.5500\n114.3940,30.5540'}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange?.(parseFence(target.value))
      }}
    />
  )
}
