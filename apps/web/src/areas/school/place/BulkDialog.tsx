import type { PlaceRow } from '@tocsin/contract/school/place'
import { placeEdits, PlacePlanDraft } from '@tocsin/contract/school/place-edits'
import { MAX_PLANNED_PLACES, type PlannedPlace, planPlaces } from '@tocsin/contract/school/place-plan'
import { Flex, Form, Input, InputNumber, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'

type Previewed = PlannedPlace & { isTwin: boolean }

/** Which of the planned places exist already: a floor below the parent, a room on an existing floor. */
const previewPlan = (planned: readonly PlannedPlace[], parent: PlaceRow, rows: readonly PlaceRow[]): Previewed[] => {
  const below = (id: number) => new Map(rows.filter((row) => row.parentId === id).map((row) => [row.name, row.id]))
  const floors = below(parent.id)
  return planned.map((place) => {
    const above = place.floorName === null ? parent.id : floors.get(place.floorName)
    return { ...place, isTwin: above !== undefined && below(above).has(place.name) }
  })
}

const Preview = ({ parent, rows, plan }: { parent: PlaceRow; rows: readonly PlaceRow[]; plan: PlacePlanDraft }) => {
  const { t } = useTranslation()
  const planned = previewPlan(planPlaces(plan, parent.floorNo), parent, rows)
  const twins = planned.filter(({ isTwin }) => isTwin).length
  return (
    <section aria-live="polite">
      <Typography.Paragraph strong>
        {t('school.bulkPreview', { n: planned.length - twins, twins })}
      </Typography.Paragraph>
      <Flex gap={4} wrap className="place-preview">
        {planned.slice(0, MAX_PLANNED_PLACES).map(({ name, floorName, isTwin }) => (
          <Tag key={`${floorName} ${name}`} style={{ opacity: isTwin ? 0.6 : 1 }}>
            {isTwin ? `${name} · ${t('school.bulkTwin')}` : name}
          </Tag>
        ))}
      </Flex>
    </section>
  )
}

const first = (parent: PlaceRow, lang: string) => ({
  ...(parent.kind === 'FLOOR' ? { floorFrom: null, floorTo: null } : { floorFrom: 1, floorTo: 5 }),
  floorName: lang === 'en' ? 'Floor {n}' : '{n}层',
  roomFrom: 1,
  roomTo: 12,
  roomName: lang === 'en' ? 'Room {floor}{room}' : '{floor}{room}室',
})

const numbers = { precision: 0, style: { width: '100%' } } as const

const PlanFields = ({ hasFloors }: { hasFloors: boolean }) => (
  <div className="school-form-grid">
    {hasFloors && (
      <>
        <Field of={PlacePlanDraft} name="floorFrom">
          <InputNumber min={-10} max={200} {...numbers} />
        </Field>
        <Field of={PlacePlanDraft} name="floorTo">
          <InputNumber min={-10} max={200} {...numbers} />
        </Field>
      </>
    )}
    <Field of={PlacePlanDraft} name="roomFrom">
      <InputNumber min={0} max={999} {...numbers} />
    </Field>
    <Field of={PlacePlanDraft} name="roomTo">
      <InputNumber min={0} max={999} {...numbers} />
    </Field>
    <Field of={PlacePlanDraft} name="floorName" hidden={!hasFloors}>
      <Input maxLength={40} />
    </Field>
    <Field of={PlacePlanDraft} name="roomName">
      <Input maxLength={40} />
    </Field>
  </div>
)

type Props = { schoolId: number; parent: PlaceRow; rows: readonly PlaceRow[]; onClose: () => void }

/** "Floors 1 to 5, rooms 01 to 12": all of them in one step, with a preview. */
export const BulkDialog = ({ schoolId, parent, rows, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const begun = first(parent, lang)
  const values: Record<string, unknown> = Form.useWatch([], form) ?? begun
  const plan = toDraft(PlacePlanDraft, { ...begun, ...values, schoolId, parentId: parent.id })
  const { mutateAsync, isPending } = useApiMutation(placeEdits.createMany, { fieldsInline: true })
  const submit = async () => {
    await mutateAsync({ body: plan }).then(
      ({ created }) => {
        notify.success(t('school.bulkDone', { n: created }))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={t('school.bulkOf', { name: parent.name })}
      width={640}
      okText={t('school.bulk')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form form={form} layout="vertical" initialValues={begun} onFinish={() => void submit()}>
        <PlanFields hasFloors={parent.kind !== 'FLOOR'} />
      </Form>
      <Typography.Paragraph type="secondary">
        {t('school.bulkHelp', { mark: '{ }', floorMark: '{n}', floorInRoom: '{floor}', roomMark: '{room}' })}
      </Typography.Paragraph>
      <Preview parent={parent} rows={rows} plan={plan} />
    </AppModal>
  )
}
