import { PlaceDraft, placeKinds, PlaceRow, sensitivities } from '@tocsin/contract/school/place'
import { placeEdits } from '@tocsin/contract/school/place-edits'
import { useQuery } from '@tanstack/react-query'
import { Form, Input, InputNumber, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { Field } from '#ui/Field.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { PositionPicker } from './PositionPicker.tsx'
import { CoordinateConverter } from './CoordinateConverter.tsx'

/** The form values; moving the place changes its position in the tree. */
const Editable = PlaceDraft.omit({ schoolId: true, parentId: true, sort: true, polygon: true, planRoute: true })

/** The most likely kind of a place below another. */
const kindBelow = { CAMPUS: 'BUILDING', BUILDING: 'FLOOR', FLOOR: 'ROOM' } as const
const firstKind = (parent: PlaceRow | undefined) =>
  parent ? ((kindBelow as Partial<Record<PlaceRow['kind'], PlaceRow['kind']>>)[parent.kind] ?? 'ROOM') : 'BUILDING'

const CameraSelect = ({ schoolId, ...rest }: { schoolId: number; value?: number[] }) => {
  const { data, isFetching } = useQuery(queryFor(placeEdits.cameras, { query: { schoolId } }))
  const options = (data ?? []).map(({ id, sn, modelName }) => ({ value: id, label: `${sn} (${modelName})` }))
  return (
    <Select
      mode="multiple"
      loading={isFetching}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}

type Props = {
  schoolId: number
  /** The parent of a new place; undefined: the top level. */
  parent: PlaceRow | undefined
  /** Undefined for a new one. */
  place: PlaceRow | undefined
  onClose: () => void
}

const Fields = ({ schoolId }: { schoolId: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const form = Form.useFormInstance()
  const setTyped = () => form.setFieldValue('coordinateSystem', 'CGCS2000')
  return (
    <>
      <FormGroup title={t('school.placeGroup')} hint={t('school.placeGroupHint')}>
        <Field of={Editable} name="name">
          <Input maxLength={64} autoFocus />
        </Field>
        <Field of={Editable} name="kind">
          <Select options={enumOptions('placeKind', placeKinds, lang)} />
        </Field>
        <Field of={Editable} name="code">
          <Input maxLength={32} />
        </Field>
        <Field of={Editable} name="floorNo">
          <InputNumber min={-10} max={200} precision={0} style={{ width: '100%' }} />
        </Field>
      </FormGroup>
      <FormGroup title={t('school.securityGroup')} hint={t('school.securityGroupHint')}>
        <Field of={Editable} name="keyPart" valuePropName="checked">
          <Switch />
        </Field>
        <Field of={Editable} name="sensitivity">
          <Select options={enumOptions('sensitivity', sensitivities, lang)} />
        </Field>
        <Field of={Editable} name="cameraIds">
          <CameraSelect schoolId={schoolId} />
        </Field>
      </FormGroup>
      <FormGroup title={t('school.positionGroup')} hint={t('school.positionGroupHint')}>
        <Field of={Editable} name="lng">
          <InputNumber min={-180} max={180} step={0.0001} style={{ width: '100%' }} onChange={setTyped} />
        </Field>
        <Field of={Editable} name="lat">
          <InputNumber min={-90} max={90} step={0.0001} style={{ width: '100%' }} onChange={setTyped} />
        </Field>
        <Form.Item name="coordinateSystem" hidden>
          <Input />
        </Form.Item>
        <CoordinateConverter hasSource />
        <PositionPicker schoolId={schoolId} label={t('school.positionOfPlace')} />
      </FormGroup>
      <Field of={Editable} name="accessNotes">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </>
  )
}

/** Creates a place below another one, or changes the given one. */
export const PlaceDrawer = ({ schoolId, parent, place, onClose }: Props) => {
  const { t } = useTranslation()
  const create = useApiMutation(placeEdits.create, { fieldsInline: true })
  const update = useApiMutation(placeEdits.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const draft = toDraft(Editable, values)
    if (place) await update.mutateAsync({ body: { ...draft, id: place.id, version: newer ?? place.version } })
    else await create.mutateAsync({ body: { ...draft, schoolId, parentId: parent?.id ?? null } })
    notify.success(t(place ? 'list.saved' : 'list.created'))
  }
  const first = {
    kind: firstKind(parent),
    floorNo: parent?.floorNo ?? null,
    coordinateSystem: 'CGCS2000',
    sensitivity: 'NORMAL',
    keyPart: false,
    cameraIds: [],
  }
  const above = parent?.name ?? t('school.atTop')
  return (
    <EditDrawer
      title={place ? place.name : `${t('school.addPlace')} · ${above}`}
      initialValues={place ?? first}
      save={save}
      reading={readAs(PlaceRow.omit({ cameras: true, deviceCount: true, floorPlanCount: true }))}
      onClose={onClose}
    >
      <Fields schoolId={schoolId} />
    </EditDrawer>
  )
}
