import type { Geofence } from '@tocsin/contract/school/geofence'
import { Button, Form } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMapBase } from '#ui/map/base-layers.ts'
import { FenceMap } from '#ui/map/FenceMap.tsx'
import type { MapRing } from '#ui/map/map-shapes.ts'

type OutlineMapProps = {
  /** The field of the form that holds the ring. */
  name: string
  label: string
  /** Whether the form also has the fields `lng`, `lat` and `coordinateSystem`. */
  hasPosition?: boolean
  /** Neighbours, so that overlaps and gaps are seen. */
  context?: readonly MapRing[]
}

const noRings: readonly MapRing[] = []

const Drawing = ({ name, label, hasPosition = false, context = noRings }: OutlineMapProps) => {
  const form = Form.useFormInstance()
  const { layers, isPending } = useMapBase()
  const value: unknown = Form.useWatch(name, form)
  const lng: unknown = Form.useWatch('lng', form)
  const lat: unknown = Form.useWatch('lat', form)
  const at = useMemo(() => (typeof lng === 'number' && typeof lat === 'number' ? { lng, lat } : undefined), [lng, lat])
  // Text that is no ring yet is not drawn.
  const fence = typeof value === 'object' ? (value as Geofence | null) : null
  if (isPending) return null
  return (
    <FenceMap
      label={label}
      fence={fence}
      onFence={(next) => form.setFields([{ name, value: next, touched: true, errors: [] }])}
      {...(hasPosition && {
        position: {
          at,
          onMove: (position) =>
            form.setFields([
              { name: 'lng', value: position.lng, touched: true },
              { name: 'lat', value: position.lat, touched: true },
              { name: 'coordinateSystem', value: 'CGCS2000', touched: true },
            ]),
        },
      })}
      context={context}
      base={layers}
    />
  )
}

/** Offers to draw a ring of the form on a map; the map is loaded once it is wanted. */
export const OutlineMap = (props: OutlineMapProps) => {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Form.Item>
      {isOpen ? <Drawing {...props} /> : <Button onClick={() => setIsOpen(true)}>{t('map.open')}</Button>}
    </Form.Item>
  )
}
