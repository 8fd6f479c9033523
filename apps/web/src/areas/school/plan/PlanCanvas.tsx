import type { FloorView } from '@tocsin/contract/school/plan/floor-plan'
import { Button, Flex, Radio, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { PlanDrawing } from '#ui/plan/PlanDrawing.tsx'
import { areaOf, type Corner, pointsOf, sizeOf } from '#ui/plan/plan-shapes.ts'
import type { FloorChoice } from './copy-floor.ts'
import { CopyFloor } from './CopyFloor.tsx'
import { countDrawn, type Drawn } from './plan-draft.ts'
import { drawnOf } from './plan-edition.ts'
import { type PlanEditState, handleKey, type Tool, useDrawing } from './use-drawing.ts'

const help = {
  select: 'plan.selectHelp',
  polygon: 'plan.clickCorners',
  rectangle: 'plan.clickTwo',
  route: 'plan.clickRoute',
  device: 'plan.clickPin',
} as const
const words = {
  select: ['plan.select', 'V'],
  polygon: ['plan.polygon', 'P'],
  rectangle: ['plan.rectangle', 'R'],
  route: ['plan.route', 'L'],
  device: ['plan.device', 'D'],
} as const satisfies Record<Tool, unknown>

const Toolbar = ({ drawing, mayPin }: { drawing: PlanEditState; mayPin: boolean }) => {
  const { t } = useTranslation()
  const { tool, unsaved } = drawing
  const offered = (['select', 'polygon', 'rectangle', 'route', 'device'] as const).filter(
    (item) => item !== 'device' || mayPin,
  )
  return (
    <Flex gap="small" wrap align="center">
      <Radio.Group
        optionType="button"
        value={tool}
        options={offered.map((item) => ({ value: item, label: `${t(words[item][0])} ${words[item][1]}` }))}
        onChange={({ target }) => drawing.pickTool(target.value as Tool)}
      />
      {(tool === 'polygon' || tool === 'route') && (
        <Button disabled={!drawing.canClose} onClick={() => drawing.close()}>
          {t(tool === 'route' ? 'plan.closeRoute' : 'plan.closeShape')}
        </Button>
      )}
      <Button disabled={!drawing.canUndo} onClick={drawing.undoLast}>
        {t('plan.undo')}
      </Button>
      <Button disabled={!drawing.canRedo} onClick={drawing.redoLast}>
        {t('plan.redo')}
      </Button>
      <Button type="primary" disabled={unsaved === 0} loading={drawing.isSaving} onClick={() => void drawing.save()}>
        {t('list.save')}
      </Button>
      {unsaved > 0 && <Typography.Text type="secondary">{t('plan.unsaved', { n: unsaved })}</Typography.Text>}
    </Flex>
  )
}

const Items = ({ drawing, mayPin }: { drawing: PlanEditState; mayPin: boolean }) => {
  const { t } = useTranslation()
  const { shown, chosen, setChosen, setOutline, setRoute, setPin } = drawing
  return (
    <Flex vertical gap="small" className="plan-items">
      <b>{t('plan.rooms')}</b>
      {shown.rooms.length === 0 && <Typography.Text type="secondary">{t('plan.noRooms')}</Typography.Text>}
      {shown.rooms.map(({ id, name, polygon, planRoute }) => (
        <Flex key={id} gap={4}>
          <Button
            block
            size="small"
            type={chosen.room === id ? 'primary' : 'default'}
            aria-pressed={chosen.room === id}
            onClick={() => setChosen({ room: id })}
          >
            {`${polygon ? '✓ ' : ''}${name}`}
          </Button>
          {polygon && chosen.room === id && (
            <Button size="small" onClick={() => setOutline(id, null)}>
              {t('plan.clear')}
            </Button>
          )}
          {planRoute && chosen.room === id && (
            <Button size="small" onClick={() => setRoute(id, null)}>
              {t('plan.clearRoute')}
            </Button>
          )}
        </Flex>
      ))}
      <b>{t('plan.devices', { n: shown.devices.length })}</b>
      {shown.devices.length === 0 && <Typography.Text type="secondary">{t('plan.noDevices')}</Typography.Text>}
      {shown.devices.map(({ id, sn, planX, connectivity }) => (
        <Flex key={id} gap={4} align="center">
          <Button
            block
            size="small"
            disabled={!mayPin}
            type={chosen.device === id ? 'primary' : 'default'}
            aria-pressed={chosen.device === id}
            onClick={() => setChosen({ device: id })}
          >
            {`${planX === null ? '' : '✓ '}${sn}`}
          </Button>
          <EnumTag kind="connectivity" value={connectivity} />
          {planX !== null && chosen.device === id && (
            <Button size="small" onClick={() => setPin(id, null)}>
              {t('plan.clear')}
            </Button>
          )}
        </Flex>
      ))}
    </Flex>
  )
}

type TakeOverProps = { view: FloorView; current: FloorView; onTake: (drawn: Drawn) => void }

/** Draws on an edition what is shown now, for a picture with the same edges; it is saved like everything that is drawn. */
const TakeOver = ({ view, current, onTake }: TakeOverProps) => {
  const { t } = useTranslation()
  const drawn = drawnOf(current)
  if (!view.plan || view.plan.publishedAt || countDrawn(drawn) === 0) return null
  return (
    <Button title={t('plan.takeOverHelp')} onClick={() => onTake(drawn)}>
      {t('plan.takeOver')}
    </Button>
  )
}

/** What the drawing says while something is drawn or moved: help, the size, and where it crosses itself. */
const Hint = ({ drawing }: { drawing: PlanEditState }) => {
  const { t } = useTranslation()
  const { tool, corners, chosen, shown, crossing } = drawing
  const outline: readonly Corner[] =
    corners.length > 0 ? corners : (shown.rooms.find(({ id }) => id === chosen.room)?.polygon ?? [])
  const area = tool !== 'route' && outline.length > 2 ? areaOf(outline, shown.plan) : undefined
  const parts = [t(help[tool]), area === undefined ? '' : t('plan.area', { n: area.toFixed(1) })]
  if (crossing) return <Typography.Text type="warning">{t('plan.crosses', crossing)}</Typography.Text>
  return <Typography.Text type="secondary">{parts.filter(Boolean).join(' · ')}</Typography.Text>
}

type PlanCanvasProps = {
  /** As the edition draws it. */
  view: FloorView
  /** As it is shown now. */
  current: FloorView
  floors: readonly FloorChoice[]
  mayDraw: boolean
}

/** Draws the rooms and devices of a floor; its keys work within this part of the page only. */
export const PlanCanvas = ({ view, current, floors, mayDraw }: PlanCanvasProps) => {
  const { t } = useTranslation()
  const mayPin = useHasPermission('device:school-device:install')
  const drawing = useDrawing(view)
  const { shown, chosen, corners, tool } = drawing
  useUnsavedGuard(() => drawing.unsaved > 0 || corners.length > 0)
  const label = t('plan.of', { floor: view.floorName })
  const size = sizeOf(view)
  const [first] = corners
  if (!mayDraw)
    return (
      <div className="plan-frame">
        <PlanDrawing view={view} label={label} />
      </div>
    )
  return (
    <div role="group" aria-label={label} onKeyDown={(event) => handleKey(drawing, event)}>
      <Flex vertical gap="small">
        <Flex gap="small" wrap justify="space-between">
          <Toolbar drawing={drawing} mayPin={mayPin} />
          <TakeOver view={view} current={current} onTake={drawing.add} />
          <CopyFloor view={shown} floors={floors} mayPin={mayPin} onCopy={drawing.add} />
        </Flex>
        <Hint drawing={drawing} />
        <div className="plan-editor">
          <div className="plan-frame">
            <PlanDrawing
              view={shown}
              label={label}
              litId={chosen.room}
              chosenDevice={chosen.device}
              onPoint={drawing.point}
              drag={tool === 'select' ? drawing.drag : undefined}
            >
              <polyline className="plan-draft" points={pointsOf(corners, size)} />
              {first && <circle cx={first[0] * size.width} cy={first[1] * size.height} r={size.width / 160} />}
            </PlanDrawing>
          </div>
          <Items drawing={drawing} mayPin={mayPin} />
        </div>
      </Flex>
    </div>
  )
}
