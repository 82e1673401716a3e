import { Plugin } from 'obsidian';

export default class DocentPlugin extends Plugin {}
