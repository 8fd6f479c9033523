import { Button, Form } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMapBase } from '#ui/map/base-layers.ts'
import { PositionMap } from '#ui/map/edit/PositionMap.tsx'
import { schools } from '@tocsin/contract/school/school'
import { useQuery } from '@tanstack/react-query'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import type { MapRing } from '#ui/map/map-shapes.ts'

const noRings: readonly MapRing[] = []

/** The grounds and the position of a school, to find a place on the map; unknown without the permission to read it. */
const useSchoolArea = (schoolId: number) => {
  const mayRead = useHasPermission('school:school:query')
  const { data, isLoading } = useQuery({ ...queryFor(schools.get, { query: { id: schoolId } }), enabled: mayRead })
  return useMemo(() => {
    const { name = '', geofence = null, lng = null, lat = null } = data ?? {}
    const context: readonly MapRing[] = geofence
      ? [{ key: 'school', kind: 'fence', label: name, polygon: geofence }]
      : noRings
    return { isLoading, context, near: lng === null || lat === null ? undefined : { lng, lat } }
  }, [data, isLoading])
}

type Position = { lng: number; lat: number }
type SchoolPositionMapProps = {
  schoolId: number
  label: string
  at: Position | undefined
  onMove: (at: Position) => void
}

/** A position within or near the grounds of a school. */
export const SchoolPositionMap = ({ schoolId, ...rest }: SchoolPositionMapProps) => {
  const { layers, isPending } = useMapBase()
  const { isLoading, context, near } = useSchoolArea(schoolId)
  if (isPending || isLoading) return null
  return <PositionMap {...rest} context={context} near={near} base={layers} />
}

const FormMap = ({ schoolId, label }: { schoolId: number; label: string }) => {
  const form = Form.useFormInstance()
  const lng: unknown = Form.useWatch('lng', form)
  const lat: unknown = Form.useWatch('lat', form)
  const at = useMemo(() => (typeof lng === 'number' && typeof lat === 'number' ? { lng, lat } : undefined), [lng, lat])
  const move = (position: Position) =>
    form.setFields([
      { name: 'lng', value: position.lng, touched: true },
      { name: 'lat', value: position.lat, touched: true },
      { name: 'coordinateSystem', value: 'CGCS2000', touched: true },
    ])
  return <SchoolPositionMap schoolId={schoolId} label={label} at={at} onMove={move} />
}

/** Offers to drag the position of a form with `lng`, `lat` and `coordinateSystem`; the map is loaded once it is wanted. */
export const PositionPicker = (props: { schoolId: number; label: string }) => {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Form.Item>
      {isOpen ? <FormMap {...props} /> : <Button onClick={() => setIsOpen(true)}>{t('map.pick')}</Button>}
    </Form.Item>
  )
}
