import { Button, Checkbox, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { measurePath } from '#ui/map-service/geometry.ts'
import { MapCircle, MapPolygon, MapPolyline, MapRectangle, MouseTool } from '#ui/map-service/overlays.tsx'
import { type Shape, type ShapeKind, shapeKinds } from '#ui/map-service/types.ts'

type Drawn = { key: number; shape: Shape }

const DrawnShape = ({ shape, edit, onEdit }: { shape: Shape; edit: boolean; onEdit: (shape: Shape) => void }) => {
  const common = { edit, onEdit }
  if (shape.kind === 'polyline') return <MapPolyline path={shape.path} {...common} />
  if (shape.kind === 'polygon') return <MapPolygon path={shape.path} {...common} />
  if (shape.kind === 'rectangle') return <MapRectangle bounds={shape.bounds} {...common} />
  return <MapCircle center={shape.center} radius={shape.radius} {...common} />
}

const useShapeText = () => {
  const { t } = useTranslation()
  return (shape: Shape): string => {
    const kind = t(`mapDemo.${shape.kind}`)
    if (shape.kind === 'circle') return t('mapDemo.circleText', { kind, m: Math.round(shape.radius) })
    if (shape.kind === 'rectangle') {
      const [from = '', to = ''] = shape.bounds.map((corner) => corner.map((degrees) => degrees.toFixed(4)).join(', '))
      return t('mapDemo.rectangleText', { kind, from, to })
    }
    return t('mapDemo.corners', { kind, n: shape.path.length, m: Math.round(measurePath(shape.path)) })
  }
}

/** Draws shapes and edits them; the same values stand as text beside the map. */
export const ShapePart = () => {
  const { t } = useTranslation()
  const describe = useShapeText()
  const [kind, setKind] = useState<ShapeKind>()
  const [isEditing, setEditing] = useState(false)
  const [drawn, setDrawn] = useState<readonly Drawn[]>([])
  const add = (shape: Shape) => {
    setKind(undefined)
    setDrawn((rows) => [...rows, { key: (rows.at(-1)?.key ?? 0) + 1, shape }])
  }
  const change = (key: number, shape: Shape) =>
    setDrawn((rows) => rows.map((row) => (row.key === key ? { key, shape } : row)))
  return (
    <Flex vertical gap="small">
      <Typography.Text type="secondary">{t('mapDemo.shapesHelp')}</Typography.Text>
      <MouseTool kind={kind} onDraw={add} />
      <Flex gap="small" wrap>
        {shapeKinds.map((wanted) => (
          <Button
            key={wanted}
            type={wanted === kind ? 'primary' : 'default'}
            aria-pressed={wanted === kind}
            onClick={() => setKind(wanted === kind ? undefined : wanted)}
          >
            {t('mapDemo.draw', { kind: t(`mapDemo.${wanted}`) })}
          </Button>
        ))}
      </Flex>
      <Flex gap="small" align="center">
        <Checkbox checked={isEditing} onChange={({ target }) => setEditing(target.checked)}>
          {t('mapDemo.edit')}
        </Checkbox>
        <Button disabled={drawn.length === 0} onClick={() => setDrawn([])}>
          {t('mapDemo.remove')}
        </Button>
      </Flex>
      <ul className="map-demo-shapes" aria-label={t('mapDemo.shapes')}>
        {drawn.map(({ key, shape }) => (
          <li key={key}>
            {describe(shape)}
            <DrawnShape shape={shape} edit={isEditing} onEdit={(edited) => change(key, edited)} />
          </li>
        ))}
      </ul>
    </Flex>
  )
}
